/** The {@code weir} command. */
@NullMarked
package dev.weir.comparison.command;

import org.jspecify.annotations.NullMarked;
