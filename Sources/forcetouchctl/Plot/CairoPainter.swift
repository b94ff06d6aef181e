import CCairo
import ForceTouchPlot

/// Paints drawings with cairo.
final class CairoPainter {
  /// Points of a picture made of pixels: enough for a screen with small ones.
  private static let pixelsPerPoint = 2.0

  /// Where texts are measured: letters are as wide in all formats.
  private let scratch: Canvas

  init() {
    scratch = Canvas(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1))
  }

  /// How wide a text is, in points.
  func measure(_ text: String, _ font: Font) -> Double { scratch.width(of: text, font) }

  /// The bytes of a picture.
  func paint(
    _ drawing: Drawing, on background: Ink, as format: PlotFormat
  ) throws(CommandError) -> [UInt8] {
    let sink = ByteSink()
    let target = Unmanaged.passUnretained(sink).toOpaque()
    let width = drawing.size.width
    let height = drawing.size.height
    let canvas: Canvas
    switch format {
    case .png:
      let scale = Self.pixelsPerPoint
      canvas = Canvas(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale)))
      cairo_scale(canvas.context, scale, scale)
    case .svg:
      canvas = Canvas(cairo_svg_surface_create_for_stream(ByteSink.take, target, width, height))
      cairo_svg_surface_set_document_unit(canvas.surface, CAIRO_SVG_UNIT_PX)
    case .pdf:
      canvas = Canvas(cairo_pdf_surface_create_for_stream(ByteSink.take, target, width, height))
      // The same recording always gives the same bytes.
      cairo_pdf_surface_set_metadata(canvas.surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
    }
    canvas.fill(background)
    for mark in drawing.marks { canvas.paint(mark) }
    var status = cairo_status(canvas.context)
    if status == CAIRO_STATUS_SUCCESS && format == .png {
      status = cairo_surface_write_to_png_stream(canvas.surface, ByteSink.take, target)
    }
    cairo_surface_finish(canvas.surface)
    if status == CAIRO_STATUS_SUCCESS { status = cairo_surface_status(canvas.surface) }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .failed("cannot draw the plot: \(String(cString: cairo_status_to_string(status)))")
    }
    return withExtendedLifetime(sink) { sink.bytes }
  }
}

/// Takes what cairo writes.
private final class ByteSink {
  var bytes: [UInt8] = []

  static let take: cairo_write_func_t = { sink, data, count in
    guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().bytes
      .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }
}

/// A surface and what paints on it. cairo remembers the first error, and does nothing after it.
private final class Canvas {
  let surface: OpaquePointer?
  let context: OpaquePointer?

  init(_ surface: OpaquePointer?) {
    self.surface = surface
    context = cairo_create(surface)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  func fill(_ ink: Ink) {
    use(ink)
    cairo_paint(context)
  }

  func width(of text: String, _ font: Font) -> Double {
    use(font)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  func paint(_ mark: Mark) {
    switch mark {
    case .area(let points, let ink):
      trace(points)
      cairo_close_path(context)
      use(ink)
      cairo_fill(context)
    case .line(let points, let ink, let width, let dash):
      trace(points)
      stroke(ink, width, dash)
    case .ring(let center, let radius, let fill, let outline):
      cairo_new_path(context)
      cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
      cairo_close_path(context)
      if let fill {
        use(fill)
        cairo_fill_preserve(context)
      }
      if let outline { stroke(outline, 1.5, []) }
    case .text(let label): write(label)
    }
  }

  private func trace(_ points: [Point]) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
  }

  private func stroke(_ ink: Ink, _ width: Double, _ dash: [Double]) {
    use(ink)
    cairo_set_line_width(context, width)
    cairo_set_dash(context, dash, Int32(dash.count), 0)
    cairo_stroke(context)
  }

  private func write(_ label: Label) {
    use(label.font)
    if let halo = label.halo {
      cairo_move_to(context, label.origin.x, label.origin.y)
      cairo_text_path(context, label.text)
      stroke(halo, 3, [])
    }
    cairo_move_to(context, label.origin.x, label.origin.y)
    use(label.ink)
    cairo_show_text(context, label.text)
  }

  private func use(_ font: Font) {
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, font.size)
  }

  private func use(_ ink: Ink) {
    cairo_set_source_rgba(context, ink.red, ink.green, ink.blue, ink.alpha)
  }
}
