package dev.weir.redis;

import java.util.List;

/**
 * One call of a limiter's script: requests for one key that carry the same time, to be decided in
 * order.
 */
record Call(String name, List<Request> requests) {}
