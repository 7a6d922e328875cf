import ArgumentParser

/// The script that completes the tool's commands in a shell. It changes the argument parser's script: bash offers options
/// only after a hyphen, `help` is completed by the names of commands, and all is also completed for an alias of the tool; in
/// fish for its path too.
struct CompletionScript {
    private let topics: [(path: String, commands: [String])]

    init(_ root: any ParsableCommand.Type) {
        topics = Self.topics(root, [])
    }

    /// Of a command and those below it: the path from the root, and what may follow.
    private static func topics(
        _ command: any ParsableCommand.Type, _ path: [String]
    ) -> [(path: String, commands: [String])] {
        let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        guard !shown.isEmpty else { return [] }
        return [(path.joined(separator: " "), shown.map { $0._commandName })]
            + shown.flatMap { topics($0, path + [$0._commandName]) }
    }

    /// The parser's text for a shell as it is better; other text, or that of another shell, as it is.
    func improved(_ text: String) -> String {
        if text.hasPrefix("#!/bin/bash") { return bash(text) }
        if text.hasPrefix("#compdef") { return zsh(text) }
        return text.hasPrefix("function __odata_") ? fish(text) : text
    }

    private func bash(_ text: String) -> String {
        let cases = cases { "COMPREPLY+=($(compgen -W '\($0)' -- \"${cur}\"))" }
        return
            text.replacing(
                "options 0\n\n    # Offer subcommand",
                with: "options 0\n    [[ -n \"${cur}\" ]] || COMPREPLY=()\n\n    # Offer subcommand"
            )
            .replacing(
                "    \"${COMP_WORDS[0]}\" \"${@}\"",
                with: """
                        local __odata_program="${COMP_WORDS[0]}"
                        if [[ ${BASH_VERSINFO[0]} -gt 3 && -n ${BASH_ALIASES[$__odata_program]} ]]; then
                            __odata_program="${BASH_ALIASES[$__odata_program]%% *}"
                        fi
                        case "$(type -t -- "$__odata_program")" in
                            file|function) ;;
                            *) __odata_program=odata ;;
                        esac
                        "$__odata_program" "${@}"
                    """
            )
            .replacing(
                "    non_repeating_options=()\n    __odata_offer_flags_options -1\n}\n\ncomplete ",
                with: """
                        non_repeating_options=()
                        __odata_offer_flags_options -1
                        case "${COMP_WORDS[*]:2:COMP_CWORD-2}" in
                    \(cases)
                        esac
                    }

                    complete \("")
                    """)
    }

    private func zsh(_ text: String) -> String {
        text.replacing(
            "_odata_help() {\n",
            with: """
                __odata_help_topics() {
                    case "${(j: :)words[2,CURRENT-1]}" in
                \(cases { "compadd -- \($0)" })
                    esac
                }

                _odata_help() {

                """
        )
        .replacing("'*:subcommands:'", with: "'*:subcommands:__odata_help_topics'")
        .replacing(
            "    local -r command_name=\"${words[1]}\"\n",
            with: """
                    local command_name="${words[1]}"
                    [[ -n "${aliases[$command_name]}" ]] && command_name="${aliases[$command_name]%% *}"
                    whence -w -- "$command_name" | grep -qE ': (command|function|hashed)$' || command_name=odata

                """)
    }

    private func fish(_ text: String) -> String {
        let words = topics.map { path, commands in
            "complete -c 'odata' -n '__odata_helps_with \"\(path)\"' -fa '\(commands.joined(separator: " "))'"
        }
        return
            text.replacing(
                "    set -l unparsed_tokens (__odata_tokens -pc)\n",
                with: """
                        set -l unparsed_tokens (__odata_tokens -pc)
                        # A path, or what an alias stands for.
                        set unparsed_tokens[1] odata

                    """
            )
            .replacing(
                "    command $tokens[1] $argv $tokens\n",
                with: """
                        if command -q $tokens[1]
                            command $tokens[1] $argv $tokens
                        else if functions -q $tokens[1]
                            $tokens[1] $argv $tokens
                        end

                    """
            )
            // The cursor's place is known to shells only in which a person types.
            .replacing("(__odata_tokens -tC)", with: "(string length -- \"$(commandline -ct)\")") + """

                function __odata_helps_with -a path
                    set -l words (commandline -opc)[2..]
                    test "$words" = (string trim -- "help $path")
                end

                \(words.joined(separator: "\n"))
                """
    }

    private func cases(_ offer: (String) -> String) -> String {
        topics.map { "    '\($0.path)') \(offer($0.commands.joined(separator: " "))) ;;" }.joined(separator: "\n")
    }
}
