import CLibFuzzer
import Foundation

/// The first argument names the target; the others are libFuzzer's. Processes that libFuzzer starts itself (`-fork=1`)
/// have the target from the environment.
@main
struct Fuzz {
    static func main() {
        var arguments = CommandLine.arguments
        var target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.init)
        if arguments.count > 1, let named = FuzzTarget(rawValue: arguments[1]) {
            arguments.remove(at: 1)
            setenv("FUZZ_TARGET", named.rawValue, 1)
            target = named
        }
        guard let target else {
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
