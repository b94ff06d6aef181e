internal import Glibc

/// Where the daemon serves.
public enum SocketPath {
  public static let standard = "/run/forcetouchd/socket"
  /// The environment variable that names another one to programs; the daemon itself goes by its
  /// command line alone.
  public static let variable = "FORCETOUCHD_SOCKET"

  /// Where a program looks for the daemon that was not told otherwise.
  public static var ofEnvironment: String {
    guard let value = getenv(variable), value.pointee != 0 else { return standard }
    return String(cString: value)
  }
}
