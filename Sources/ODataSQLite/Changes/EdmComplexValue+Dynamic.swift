import GRDB
import ODataModel
import ODataStores

/// Dynamic properties as their column keeps them: one JSON object, or null.
extension EdmComplexValue {
    /// - Throws: ``ODataError`` `internalError` if the column holds something else: a change would write over it.
    package init(dynamic stored: DatabaseValue, in model: EdmModel) throws {
        guard !stored.isNull else {
            self.init()
            return
        }
        guard case .string(let text) = stored.storage,
            case .complex(let known)? = EdmValue(
                jsonText: Array(text.utf8)[...], type: .primitive(.untyped), model: model)
        else { throw ODataError(.internalError, "The dynamic properties of the entity are damaged.") }
        self = known
    }

    package var dynamicStored: DatabaseValue { isEmpty ? .null : dynamicJSONText.databaseValue }
}
