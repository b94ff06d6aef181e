/// A place in a text: the file's name as the user gave it, line and column from 1.
public struct YAMLMark: Hashable, Sendable, CustomStringConvertible {
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`, as compilers print it.
  public var description: String { "\(file):\(line):\(column)" }
}

/// What is wrong, and where.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// nil when the file could not be read at all.
  public var mark: YAMLMark?
  public var problem: String

  /// - Parameter problem: May repeat a word of the file: what would break the line, or do something
  ///   to a terminal, is told by its number.
  public init(_ problem: String, at mark: YAMLMark?) {
    self.problem = problem.unicodeScalars.reduce(into: "") { line, scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line += YAMLNode.escape(scalar)
      default: line.unicodeScalars.append(scalar)
      }
    }
    self.mark = mark
  }

  /// `file:line:column: problem`.
  public var description: String { mark.map { "\($0): \(problem)" } ?? problem }
}

extension [YAMLError] {
  /// A value, or nil and one problem more.
  public mutating func collect<Value>(
    _ value: () throws(YAMLError) -> Value?
  ) -> Value? {
    do throws(YAMLError) {
      return try value()
    } catch {
      append(error)
      return nil
    }
  }
}
