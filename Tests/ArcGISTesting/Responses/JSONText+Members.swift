import ODataModel

extension JSONText {
    mutating func member(_ name: String, _ number: some BinaryInteger) {
        self.name(name)
        integer(number)
    }

    /// Writes the member `"name":11.3`.
    mutating func number(_ name: String, _ digits: String) {
        self.name(name)
        raw(digits.utf8)
    }

    mutating func member(_ name: String, _ flag: Bool) {
        self.name(name)
        boolean(flag)
    }

    /// Writes the member `"name":{…}`.
    mutating func object(_ name: String, _ content: (inout JSONText) -> Void) {
        self.name(name)
        object(content)
    }

    /// Writes the member `"name":[…]`.
    mutating func array(_ name: String, _ content: (inout JSONText) -> Void) {
        self.name(name)
        array(content)
    }
}
