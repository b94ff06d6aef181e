/// What a plot is written as; the name of its file tells.
enum PlotFormat: String, CaseIterable {
  case svg, png, pdf

  init(path: String) throws(CommandError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    guard let format = ending.flatMap(PlotFormat.init) else {
      throw .usage("\(path): a plot is a .svg, .png or .pdf; give --output such a name")
    }
    self = format
  }
}
