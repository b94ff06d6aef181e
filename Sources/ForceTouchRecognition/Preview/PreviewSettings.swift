public import ForceTouchModel

/// Everything that can be set about previewing, in one value.
public struct PreviewSettings: Equatable, Sendable {
  /// How long a program may think about one question: silence that long is no. Greater than 0.
  public var questionTimeout = Interval.milliseconds(50)
  /// How long a contact may wait for answers in all, whoever is asked: no peek comes later than
  /// this after it was pressed.
  public var totalTimeout = Interval.milliseconds(100)
  /// So many questions in a row that a program met with silence suspend its context until the
  /// program calls again. At least 1.
  public var silencesBeforeSuspension = 3

  /// How long after a contact was heard to begin it may be claimed.
  public var claimWindow = Interval.milliseconds(500)
  /// So many wrong claims a user may make at once. At least 1.
  public var wrongClaims = 10
  /// How long it takes until a user who made a wrong claim may make one more.
  public var wrongClaimRecovery = Interval.milliseconds(100)

  /// Whether a contact may peek while another is on the same device: the value of
  /// ``RecognizerConfiguration/peeksBesideOtherContacts``.
  public var peeksBesideOtherContacts = false

  public init() {}
}
