/// Where the daemon serves.
public enum SocketPath {
  public static let standard = "/run/forcetouchd/socket"
  /// The environment variable that names another one to programs.
  public static let variable = "FORCETOUCHD_SOCKET"
}
