// What the library's own declarations are written with, so that a program imports one module.
@_exported public import enum ForceTouchModel.ForceTouchCapability
@_exported public import enum ForceTouchModel.PreviewCancelReason
@_exported public import struct ForceTouchModel.ScreenRegion
@_exported public import struct ForceTouchModel.ViewPoint
@_exported public import struct ForceTouchModel.ViewRect
@_exported public import struct ForceTouchModel.ViewSize
