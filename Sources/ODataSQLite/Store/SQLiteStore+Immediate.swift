import ODataModel
import ODataQuery
import ODataStores

/// The file is looked at once, after the read: what was read of another file is not returned.
extension SQLiteStore: ImmediateStore {
    package func immediateResult(of request: ReadRequest, model: EdmModel) -> ImmediateResult? {
        let opened = opened
        let publication = opened.publication.withLock { $0 }
        guard publication.schema.model == model, !publication.schema.misfits.isPending else { return nil }
        let result = publication.executor.immediateResult(
            of: request, in: opened.pool, pageSize: configuration.pageSize, isKnown: opened.commits.isChecked)
        return result != nil && opened.isUnchanged ? result : nil
    }

    package func isCurrent(_ model: EdmModel) -> Bool {
        let opened = opened
        let publication = opened.publication.withLock { $0 }
        guard publication.schema.model == model, !publication.schema.misfits.isPending else { return false }
        return publication.executor.immediately(in: opened.pool, isKnown: opened.commits.isChecked)
            && opened.isUnchanged
    }
}
