extension DevicesMessage {
  /// The text of the interface, as introspection returns it.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Devices_varlink, as: UTF8.self)
  }
}

extension MonitorMessage {
  /// The text of the interface, as introspection returns it.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Monitor_varlink, as: UTF8.self)
  }
}

extension ControlMessage {
  /// The text of the interface, as introspection returns it.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Control_varlink, as: UTF8.self)
  }
}

extension PreviewingMessage {
  /// The text of the interface, as introspection returns it.
  public static var interfaceText: String {
    String(decoding: PackageResources.org_forcetouchd_Previewing_varlink, as: UTF8.self)
  }
}
