import CGTK

/// What a signal comes with: the object that sent it, then its arguments.
typealias SignalValues = UnsafePointer<GValue>

/// Calls `handler` whenever `object` sends a signal, for as long as the object lives.
///
/// Each signal has a C signature of its own; a closure with a marshaller takes them all.
func connect(
  _ object: some GObject, _ signal: String, _ handler: @escaping (SignalValues) -> Void
) {
  let box = Unmanaged.passRetained(Handler(handler)).toOpaque()
  let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), box)!
  g_closure_set_marshal(closure) { closure, _, _, values, _, _ in
    nonisolated(unsafe) let (closure, values) = (closure!, values!)
    MainActor.assumeIsolated {
      let box = Unmanaged<Handler<SignalValues>>.fromOpaque(closure.pointee.data)
      box.takeUnretainedValue().call(values)
    }
  }
  g_closure_add_finalize_notifier(closure, box) { box, _ in
    Unmanaged<Handler<SignalValues>>.fromOpaque(box!).release()
  }
  g_signal_connect_closure(object.raw, signal, closure, 0)
}

/// Calls `handler` in GTK's main loop whenever there is something to read, to the program's end.
func whenReadable(_ descriptor: Int32, _ handler: @escaping () -> Void) {
  let box = Unmanaged.passRetained(Handler<Void>(handler)).toOpaque()
  let source: GUnixFDSourceFunc = { _, _, box in
    nonisolated(unsafe) let box = box!
    MainActor.assumeIsolated {
      Unmanaged<Handler<Void>>.fromOpaque(box).takeUnretainedValue().call(())
    }
    return 1
  }
  g_unix_fd_add(descriptor, G_IO_IN, source, box)
}

/// A Swift closure as something that C can hold.
private final class Handler<Argument> {
  let call: (Argument) -> Void

  init(_ call: @escaping (Argument) -> Void) { self.call = call }
}
