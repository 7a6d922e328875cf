import ODataModel
import ODataQuery

/// `$search`
extension SyntaxWriter {
    func text(_ search: OptionsSyntax.Search) -> String {
        switch search {
        case .expression(let expression): expression.text
        case .incomplete(let typed): text(.string(typed))
        }
    }
}
