/** The providers of the limiters in memory. Not an API: ServiceLoader finds them. */
package dev.weir.memory.internal;
