extension String {
    /// The text as the name of a file that a service may keep: its last part behind slashes of both kinds, without
    /// control characters and breaks of lines, and of at most 255 bytes of UTF-8, cut before its extension.
    ///
    /// ```
    /// "../photos/valve.png" → "valve.png"
    /// ```
    ///
    /// Nil if nothing is left, or one of the names `.` and `..`, which stand for folders.
    package var fileName: String? {
        guard let last = unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else { return nil }
        let kept = last.filter { scalar in
            ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let name = String(String.UnicodeScalarView(kept)).cut(to: 255)
        return name.isEmpty || name == "." || name == ".." ? nil : name
    }

    private func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let dot = lastIndex(of: ".").flatMap { self[$0...].utf8.count <= 32 ? $0 : nil } ?? endIndex
        var length = self[dot...].utf8.count
        let stem = self[..<dot].prefix(while: { character in
            length += character.utf8.count
            return length <= limit
        })
        return String(stem) + self[dot...]
    }
}
