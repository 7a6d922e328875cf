import ODataModel

extension EdmComplexValue {
    /// The members with other values: those that were not read stay as the service has them. A value of another type than
    /// before is sent whole.
    ///
    /// [OData-Protocol, section 11.4.3: Update an Entity]
    func changes(from old: EdmComplexValue) -> EdmComplexValue {
        guard type == old.type else { return self }
        let changed = members.compactMap { member -> Member? in
            guard member.value != old[member.name] else { return nil }
            guard case .complex(let new) = member.value, case .complex(let old)? = old[member.name] else {
                return member
            }
            return Member(name: member.name, value: .complex(new.changes(from: old)))
        }
        return EdmComplexValue(changed, type: type)
    }
}
