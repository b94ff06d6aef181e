extension DevicesMessage {
  /// The text of the `.varlink` file.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Devices_varlink, as: UTF8.self)
  }
}

extension MonitorMessage {
  /// The text of the `.varlink` file.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Monitor_varlink, as: UTF8.self)
  }
}
