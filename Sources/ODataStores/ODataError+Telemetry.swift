import Telemetry

extension ODataError: CodedError {
    package var codeName: String { code.name }
}
