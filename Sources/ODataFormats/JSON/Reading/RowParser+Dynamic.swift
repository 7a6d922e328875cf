import ODataModel

extension RowParser {
    /// A dynamic property: where its name starts, with the quote, and where its value ends.
    struct DynamicMember {
        var nameEnd: Int
        var range: Range<Int>
    }

    /// Takes the value of a dynamic property, whose name starts at `start`.
    mutating func dynamic(from start: Int) throws(JSONFault) {
        try skip()
        var name = ByteCursor(cursor.bytes, at: start + 1)
        let nameEnd = try name.string().end
        dynamicMembers.append(DynamicMember(nameEnd: nameEnd, range: start..<cursor.position))
    }

    /// Makes one object of the dynamic properties from `first` on.
    ///
    /// ```json
    /// {"Colour":"red","Since@odata.type":"#Date","Since":"2024-01-01"}
    /// ```
    mutating func takeDynamic(from first: Int, into slot: Int) throws(JSONFault) {
        guard dynamicMembers.count > first else { return }
        try checkNames(from: first)
        let start = extra.count
        extra.append(UInt8(ascii: "{"))
        for member in dynamicMembers[first...] {
            extra.append(contentsOf: cursor.span(member.range))
            extra.append(UInt8(ascii: ","))
        }
        extra[extra.count - 1] = UInt8(ascii: "}")
        dynamicMembers.removeLast(dynamicMembers.count - first)
        block.slots[slot] = .span(.json, extraSpan(from: start))
    }

    private func checkNames(from first: Int) throws(JSONFault) {
        guard dynamicMembers.count > first + 1 else { return }
        var names: Set<String> = []
        for member in dynamicMembers[first...] {
            let name = cursor.text(member.range.lowerBound..<member.nameEnd)
            guard names.insert(name).inserted else {
                throw JSONFault(reason: .duplicate, offset: member.range.lowerBound)
            }
        }
    }
}
