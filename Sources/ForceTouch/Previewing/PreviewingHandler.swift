/// Who answers the questions of a context, behind its public delegates.
protocol PreviewingHandler: AnyObject {
  /// What follows the answer yes; nil is no.
  func begin(in context: PreviewingContext, at location: ViewPoint) -> (any BegunPreview)?
  /// Everything, before anything is made of it.
  func heard(_ event: PreviewingEvent, in context: PreviewingContext)
  func failed(_ error: ForceTouchError, in context: PreviewingContext)
}

/// One interaction that was answered with yes.
protocol BegunPreview: AnyObject {
  func hear(_ event: PreviewingEvent, in context: PreviewingContext)
}
