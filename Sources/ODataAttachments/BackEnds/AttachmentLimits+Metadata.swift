import ODataModel
import ODataQuery
import ODataStores

extension AttachmentLimits {
    /// What the metadata say of content.
    init(_ content: ContentLimits) {
        self.init(maxLength: content.maxLength, contentTypes: content.contentTypes)
    }

    /// - Parameter collection: Where the attachments are: the navigation property that leads there may say how many.
    init(_ content: ContentLimits, in collection: ResourcePath) {
        self.init(content)
        guard case .navigation(let navigation, _)? = collection.segments.last,
            case .int(let count)? = navigation.annotation(EdmAnnotation.maxItems)
        else { return }
        maxCount = Int(clamping: count)
    }
}
