/** How the suite runs, judges, shrinks and reports. Not an API. */
package dev.weir.conformance.internal;
