import CGTK

// Any main loop will do, and this is the shortest: no application, one window.
gtk_init()

let style = gtk_css_provider_new()!
PackageResources.style_css.withUnsafeBytes { css in
  gtk_css_provider_load_from_data(
    style, css.baseAddress!.assumingMemoryBound(to: CChar.self), css.count)
}
gtk_style_context_add_provider_for_display(
  gdk_display_get_default(), style.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))

let controller = try TableController()
let loop = g_main_loop_new(nil, 0)
connect(controller.window, "close-request") { _ in g_main_loop_quit(loop) }
gtk_window_present(controller.window)
g_main_loop_run(loop)
