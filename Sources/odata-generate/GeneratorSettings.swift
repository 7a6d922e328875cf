import Foundation
import ODataGeneration

/// What a target says about its generated code, in a file `odata-generator.json`:
///
/// ```json
/// {"access": "public", "sets": ["Orders", "Customers"]}
/// ```
struct GeneratorSettings {
    private(set) var access = CodeGenerator.Access.internal
    private(set) var sets: [String]?

    /// - Throws: ``BuildProblem`` for what is no JSON object, and for members that have no meaning.
    init(bytes: [UInt8], file: String) throws(BuildProblem) {
        guard let members = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else {
            throw BuildProblem("The settings are no JSON object.", file: file)
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (name, value) {
            case ("access", let text as String): access = try Self.access(text, file: file)
            case ("sets", let names as [String]): sets = names
            case ("access", _): throw BuildProblem("access is no string.", file: file)
            case ("sets", _): throw BuildProblem("sets is no array of names.", file: file)
            default: throw BuildProblem("There is no setting \(name): only access and sets.", file: file)
            }
        }
    }

    private static func access(_ text: String, file: String) throws(BuildProblem) -> CodeGenerator.Access {
        guard let access = CodeGenerator.Access(rawValue: text) else {
            let known = CodeGenerator.Access.allCases.map(\.rawValue).joined(separator: " or ")
            throw BuildProblem("access is \(known).", file: file)
        }
        return access
    }
}
