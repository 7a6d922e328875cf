/// The known name that `name` was most probably meant to be; nil if none is near.
package func nearestName(to name: String, in known: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(64))
    let limit = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known {
        let bytes = Array(candidate.lowercased().utf8.prefix(64))
        guard abs(bytes.count - wanted.count) <= limit else { continue }
        let distance = editDistance(wanted, bytes)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// How many bytes must be added, removed or replaced to make `right` of `left`.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in right.indices {
            let replaced = diagonal + (right[column] == byte ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[right.count]
}
