/**
 * Rate limiters that keep their state in the memory of one JVM: {@link
 * dev.weir.memory.InMemoryFixedWindow}, {@link dev.weir.memory.InMemorySlidingWindow}, {@link
 * dev.weir.memory.InMemorySlidingWindowCounter} and {@link dev.weir.memory.InMemoryTokenBucket}.
 *
 * <h2>Sharing</h2>
 *
 * <p>Limiters of one algorithm that are built on one {@link dev.weir.memory.InMemoryStore}, in one
 * namespace, act as one limiter. Different policies there are meant as two versions of one policy,
 * of which an old and a new one may be in use at the same time.
 *
 * <h2>Idle keys</h2>
 *
 * <p>A key is released only when it is as new anyway: in the sliding window log one window, in the
 * fixed window and the sliding window counter two windows after its last admission, in the token
 * bucket when the bucket is full. Where limiters with different policies share state, it is the
 * longest of these times, and the time that an empty bucket takes. There is no background thread:
 * once such a time has passed since the last pass over all keys, an admitted request begins another
 * pass, and every admitted request looks at four keys until it is over. So an idle key is released
 * after once more such a time, and the time that half as many admitted requests take as there are
 * keys. A limiter that nobody asks any more keeps what it has, unless its {@code releaseIdleKeys}
 * is called. On a clock that steps back, a key that was released before the step is new also after
 * it, and one whose last admission is ahead of the clock is kept.
 *
 * <h2>The ceiling on keys</h2>
 *
 * <p>A limiter has at most {@link dev.weir.memory.InMemoryOptions#withMaxKeys maxKeys} keys. When
 * it has them, keys that it does not know share one state: together they may have what the policy
 * gives to one key. This is the exception to the rules that a new key is admitted and that other
 * keys change nothing; the alternative would be to forget a key that is being limited, which a
 * caller with many keys could then bring about at will. No key gets more than the policy admits: as
 * long as the shared state remembers anything, a key that finds room again starts with what the
 * shared state has used. The {@link dev.weir.memory.OverflowListener} is told when it begins.
 */
package dev.weir.memory;
