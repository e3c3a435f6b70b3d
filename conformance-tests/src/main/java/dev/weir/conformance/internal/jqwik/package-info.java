/** The only package that knows jqwik: it generates drafts, skips rules and sets the tries. */
package dev.weir.conformance.internal.jqwik;
