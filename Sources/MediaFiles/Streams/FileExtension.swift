extension String {
    /// `jpg` of the name `valve.JPG`; empty where there is none.
    package var fileExtension: String {
        guard let dot = lastIndex(of: ".") else { return "" }
        return self[index(after: dot)...].lowercased()
    }
}
