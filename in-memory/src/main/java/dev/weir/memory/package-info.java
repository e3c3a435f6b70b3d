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
 * <p>A key is released only once it is as new anyway: one {@linkplain dev.weir.Policy#life() life}
 * after its last admission, in the token bucket already when the bucket is full; where limiters
 * with different policies share state, after the longest of their lives. There is no background
 * thread: as soon as one such life has passed since the last pass over all keys, the next admitted
 * request begins another one, and every admitted request looks at four keys until the pass is over.
 * So a key is released within two lives of becoming idle and as many admitted requests as half the
 * number of keys. With a clock that steps back, a key released before the step is new also after
 * it.
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
