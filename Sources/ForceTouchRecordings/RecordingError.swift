/// A recording that cannot be read: which file, where in it, and what to do.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  public var path: String
  /// From 1; nil when it is about the file as a whole.
  public var line: Int?
  public var problem: String

  public init(path: String, line: Int? = nil, problem: String) {
    self.path = path
    self.line = line
    self.problem = problem
  }

  public var description: String {
    "\(path):\(line.map { "\($0):" } ?? "") \(problem)"
  }
}
