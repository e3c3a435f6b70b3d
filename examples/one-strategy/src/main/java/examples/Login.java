package examples;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.Map;

/** A login that a guesser cannot hurry: so many attempts an account, right or wrong. */
public final class Login {

  /** What an attempt ends with. */
  public sealed interface Answer {}

  /** The password was right. */
  public record Welcome() implements Answer {}

  /** It was not. */
  public record Wrong() implements Answer {}

  /** Nobody looked at the password; the next attempt is looked at after the wait. */
  public record TooManyAttempts(Duration retryAfter) implements Answer {}

  private final RateLimiter attempts;
  private final Map<String, String> passwords;

  public Login(RateLimiter attempts, Map<String, String> passwords) {
    this.attempts = attempts;
    this.passwords = passwords;
  }

  public Answer attempt(String account, String password) {
    // Take first, look at the password afterwards: attempts at the same moment cannot slip through between.
    Decision decision = attempts.tryAcquire(account);
    if (!decision.allowed()) {
      return new TooManyAttempts(decision.retryAfter());
    }
    return password.equals(passwords.get(account)) ? new Welcome() : new Wrong();
  }
}
