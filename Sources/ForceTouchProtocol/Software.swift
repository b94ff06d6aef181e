/// What the programs of this package call themselves.
public enum Software {
  /// By `semver.org`. `debian/changelog` says it too.
  public static let version = "0.1.0"
}
