/** Checks and time arithmetic that the modules of this library share. Not an API. */
package dev.weir.internal;
