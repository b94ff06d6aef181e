import ForceTouchModel

/// Slows down who guesses at which millisecond somebody else's finger came down. A user may make
/// so many wrong claims at once, and one more after each recovery time.
struct ClaimLimit: Sendable {
  /// When each user will have recovered from all wrong claims.
  private var recovered: [(user: UInt32, at: Timestamp)] = []

  func allows(_ user: UInt32, at now: Timestamp, _ settings: PreviewSettings) -> Bool {
    guard let entry = recovered.first(where: { $0.user == user }) else { return true }
    let spent = (entry.at - now).microseconds
    return spent <= Int64(settings.wrongClaims - 1) * settings.wrongClaimRecovery.microseconds
  }

  mutating func countWrongClaim(of user: UInt32, at now: Timestamp, _ settings: PreviewSettings) {
    recovered.removeAll { $0.at <= now }
    if let index = recovered.firstIndex(where: { $0.user == user }) {
      recovered[index].at = recovered[index].at + settings.wrongClaimRecovery
    } else {
      recovered.append((user, now + settings.wrongClaimRecovery))
    }
  }
}
