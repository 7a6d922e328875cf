/// `$filter` with canonical functions.
enum FunctionChecks {
    private static let texts = "1 2 3 4 6 7 8 9 10"

    static let strings = ConformanceCheck.filters(
        of: "Texts", section: "OData-URL 5.1.1.5",
        [
            ("contains(Text,'Futter')", "1"), ("contains(Text,'futter')", ""), ("contains(Text,'%25')", "6"),
            ("contains(Text,'_')", "6"), ("contains(Text,'''')", "7"), ("contains(Text,'本')", "8"),
            ("contains(Text,'')", texts), ("contains(Text,Other)", "1 3 4 6 7 8 9 10"),
            ("not contains(Text,'a')", "1 3 4 6 7 8 9"), ("contains(Text,'a') eq false", "1 3 4 6 7 8 9"),
            ("startswith(Text,'Alf')", "1"), ("startswith(Text,'alf')", ""), ("startswith(Text,' ')", "2"),
            ("startswith(Text,'100%25')", "6"), ("startswith(Text,'')", texts), ("startswith(Text,Other)", "4 10"),
            ("endswith(Text,'kiste')", "1"), ("endswith(Text,' ')", "2"), ("endswith(Text,'')", texts),
            ("endswith(Text,Other)", "4 10"), ("endswith(Text,'ト')", "8"),
            ("indexof(Text,'Futter') eq 8", "1"), ("indexof(Text,'x') eq -1", texts),
            ("indexof(Text,'end') eq 8", "9"), ("indexof(Text,Other) eq 1", "7 8"),
            ("length(Text) eq 19", "1"), ("length(Text) eq 0", "4"), ("length(Text) eq 7", "3 8"),
            ("length(Text) eq 11", "9"), ("length(Text) eq null", "5"),
            ("substring(Text,8) eq 'Futterkiste'", "1"), ("substring(Text,0,3) eq 'Alf'", "1"),
            ("substring(Text,1,2) eq 'aa'", "10"), ("substring(Text,2,1) eq '語'", "8"),
            ("substring(Text,100) eq ''", texts),
            ("tolower(Text) eq 'alfreds futterkiste'", "1"), ("tolower(Text) eq 'äöü äöü'", "3"),
            ("toupper(Text) eq 'ÄÖÜ ÄÖÜ'", "3"), ("toupper(Text) eq 'AAA'", "10"),
            ("trim(Text) eq 'spaces'", "2"), ("trim(Text) eq 'aaa'", "10"),
            ("concat(Text,Other) eq 'aaaa'", "10"), ("concat(Text,'!') eq 'aaa!'", "10"),
            ("concat(concat(Text,'-'),Other) eq '日本語テキスト-本'", "8"), ("concat(Text,Other) eq null", "2 5"),
            ("matchesPattern(Text,'%5Ea%2B$')", "10"), ("matchesPattern(Text,'[0-9]%2B')", "6"),
            ("contains(tolower(Text),'futter')", "1"), ("length(trim(Text)) eq 6", "2 7"),
        ])

    static let dates = ConformanceCheck.filters(
        of: "Instants", section: "OData-URL 5.1.1.8",
        [
            ("year(At) eq 2024", "1"), ("year(Day) eq 1999", "2"), ("month(At) eq 12", "2"), ("month(Day) eq 7", "5"),
            ("day(At) eq 29", "1"), ("day(Day) eq 20", "5"), ("hour(At) eq 13", "1"), ("hour(Clock) eq 0", "3"),
            ("minute(At) eq 59", "2"), ("minute(Clock) eq 17", "5"), ("second(At) eq 40", "5"),
            ("second(Clock) eq 30", "1"), ("fractionalseconds(At) eq 0.25", "1"),
            ("fractionalseconds(Clock) eq 0.25", "1"), ("fractionalseconds(At) eq 0", "3 5"),
            ("date(At) eq 2000-01-01", "3"), ("date(At) eq Day", "1 2 3 4 5"), ("time(At) eq 20:17:40", "5"),
            ("time(At) eq Clock", "1 3 4 5"), ("Clock eq 13:45:30.25", "1"), ("Clock gt 13:45:30.25", "2 5"),
            ("Clock in (13:45:30.250,00:00:00)", "1 3"), ("totaloffsetminutes(At) eq 0", "1 2 3 5"),
            ("At lt now()", "1 2 3 5"),
            ("At gt mindatetime()", "1 2 3 5"), ("At lt maxdatetime()", "1 2 3 5"), ("year(At) eq null", "4"),
            ("At add duration'PT1S' gt 2000-01-01T00:00:00Z", "1 2 3"),
            ("At sub duration'P1D' lt 1970-01-01T00:00:00Z", "5"), ("Day add duration'P1D' eq 2000-01-01", "2"),
            ("totalseconds(At sub 2000-01-01T00:00:00Z) eq 0", "3"),
            ("(At sub 1999-12-31T00:00:00Z) gt duration'P1D'", "1"), ("Day sub 1999-12-31 eq duration'P1D'", "3"),
            ("totalseconds(duration'PT1M') eq 60", "1 2 3 4 5"),
        ])

    static let numbers = ConformanceCheck.filters(
        of: "Numbers", section: "OData-URL 5.1.1.9",
        [
            ("round(Ratio) eq 2", "2"), ("round(Ratio) eq 3", "5"), ("round(Ratio) eq -2", "3"),
            ("round(Amount) eq -3", "3"), ("round(Amount) eq 4", "6"), ("floor(Ratio) eq 1", "2"),
            ("floor(Ratio) eq -2", "3"), ("floor(Amount) eq -3", "3"), ("floor(Amount) eq 0", "1 5"),
            ("ceiling(Ratio) eq 2", "2"), ("ceiling(Ratio) eq -1", "3"), ("ceiling(Amount) eq 1", "5"),
            ("ceiling(Amount) eq 4", "6"), ("round(Ratio) eq null", "4"),
        ])
}
