import CLibFuzzer

/// The first argument names the target; the others are libFuzzer's.
@main
struct Fuzz {
    static func main() {
        var arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments.remove(at: 1)) else {
            print("A target is needed: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
            return
        }
        FuzzTarget.chosen.withLock { $0 = target }
        drive(arguments)
    }

    private static func drive(_ arguments: [String]) {
        var count = CInt(arguments.count)
        let strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, text) in arguments.enumerated() {
            let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
            for (position, byte) in text.utf8.enumerated() { bytes[position] = CChar(bitPattern: byte) }
            bytes[text.utf8.count] = 0
            strings[index] = bytes
        }
        strings[arguments.count] = nil
        var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = strings
        _ = LLVMFuzzerRunDriver(&count, &values) { data, size in
            FuzzTarget.run(Array(UnsafeBufferPointer(start: data, count: size)))
            return 0
        }
    }
}
