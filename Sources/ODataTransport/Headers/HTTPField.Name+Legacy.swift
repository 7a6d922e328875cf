import HTTPTypes

/// Headers of the versions before 4.0.
extension HTTPField.Name {
    /// `DataServiceVersion: 2.0`
    package static let dataServiceVersion = HTTPField.Name("DataServiceVersion")!
    package static let maxDataServiceVersion = HTTPField.Name("MaxDataServiceVersion")!
    /// `X-HTTP-Method: MERGE` on a POST, where something on the way knows no other methods.
    package static let methodOverride = HTTPField.Name("X-HTTP-Method")!
}
