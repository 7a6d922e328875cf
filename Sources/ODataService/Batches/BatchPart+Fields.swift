import HTTPTypes
import ODataFormats

extension BatchPart {
    /// The headers of the request itself; what is not a header name is left out.
    var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}
