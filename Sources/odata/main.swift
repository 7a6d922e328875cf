import ODataCommandLine

await ODataCommand.launch()
