public import ForceTouchModel

/// What a program answers to a question.
public enum PreviewAnswer: Equatable, Sendable {
  /// There is nothing to preview here: nil in UIKit's `viewControllerForLocation`.
  case decline
  /// There is a preview.
  /// - `sourceRect`: what the finger is on, in the view's coordinates; nil: the whole view. It is
  ///   the program that draws: here it is only checked. UIKit: `sourceRect`.
  /// - `allowsPop`: whether pressing on opens it. Without, the pop and its progress are not told.
  case preview(sourceRect: ViewRect?, allowsPop: Bool)
}

/// Why an answer counts for nothing. Nothing else is disturbed by it.
public enum AnswerError: Error, Equatable, Sendable {
  /// There is no such context (any more).
  case noSuchContext
  /// The context was never asked this.
  case noSuchInteraction
  /// It was answered before, or too late, or the finger is gone.
  case interactionOver
  /// The source rect is not finite, has a negative side, or lies outside the view. The question
  /// stays open.
  case invalidSourceRect
}

/// Why a claim counts for nothing.
public enum ClaimError: Error, Equatable, Sendable {
  /// There is no such context (any more).
  case noSuchContext
  /// The context's user is not in front of the seat.
  case contextDormant
  /// No contact that is down began at this time on a touchscreen of the context.
  case noSuchContact
  /// Another context claimed it or previews it.
  case ownedByAnother
  /// It began too long ago, was asked about already, or is past being asked about.
  case tooLate
  /// The user made too many wrong claims: try again later.
  case tooManyWrongClaims
}
