#if canImport(SwiftUI)
    import Inspection
    import SwiftUI

    struct ConflictList: View {
        let model: InspectionModel

        var body: some View {
            List(model.conflicts) { conflict in
                Section(conflict.entity) {
                    ForEach(conflict.differences, id: \.property) { difference in
                        LabeledContent(difference.property) {
                            VStack(alignment: .trailing) {
                                Text("here: \(difference.mine ?? "nothing")")
                                Text("there: \(difference.theirs ?? "nothing")").foregroundStyle(.secondary)
                            }
                        }
                    }
                    Button("Keep mine") { Task { await model.decide(conflict, isMine: true) } }
                    Button("Take theirs") { Task { await model.decide(conflict, isMine: false) } }
                }
            }
            .navigationTitle("To decide")
        }
    }
#endif
