/// A number that names one device while it is there: a device that comes back is a new one.
public struct DeviceID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A number that names one previewing context. Programs know their contexts by secret tokens; who
/// serves them keeps the two apart.
public struct PreviewingContextID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A number that names one interaction of one context: its first question is 1, its next 2. Two
/// contexts count on their own, so that nobody learns how often others were asked.
public struct InteractionID: RawRepresentable, Hashable, Comparable, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (left: InteractionID, right: InteractionID) -> Bool {
    left.rawValue < right.rawValue
  }
}
