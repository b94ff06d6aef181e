/// What was probably meant by a misspelled word: the rest of a sentence that ends with
/// `; did you mean WORD?`, or nil when none of the words is near.
///
/// Near is what takes at most a change for every third character (a character more, less, another,
/// or two that changed places; upper and lower case are the same), and what contains the word.
///
/// - Parameter words: Of several that are as near, the first in the alphabet is meant.
public func didYouMean(_ word: String, _ words: some Sequence<String>) -> String? {
  let typed = Array(word.lowercased())
  let candidates = Set(words).subtracting([word, ""]).sorted()
  let near = candidates.map { ($0, distance(typed, Array($0.lowercased()))) }
    .filter { $0.1 <= max(typed.count, $0.0.count) / 3 }
    .min { $0.1 < $1.1 }?.0
  let meant =
    near
    ?? (typed.count < 3 ? nil : candidates.first { $0.lowercased().contains(word.lowercased()) })
  return meant.map { "; did you mean \($0)?" }
}

/// How many changes make one word of the other (optimal string alignment).
private func distance(_ first: [Character], _ second: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for i in first.indices {
    var row = [i + 1]
    for j in second.indices {
      var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (first[i] == second[j] ? 0 : 1))
      if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
        least = min(least, beforeLast[j - 1] + 1)
      }
      row.append(least)
    }
    (beforeLast, last) = (last, row)
  }
  return last[second.count]
}

extension YAMLError {
  /// A key that means nothing where it stands.
  public static func unknownKey(
    _ entry: YAMLNode.Entry, among keys: some Sequence<String>
  ) -> YAMLError {
    YAMLError(
      "\(entry.key) is not known here" + (didYouMean(entry.key, keys) ?? ""), at: entry.keyMark)
  }
}
