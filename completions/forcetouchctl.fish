# Completion of forcetouchctl(1) for fish: it knows itself what may come next.

function __forcetouchctl_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    # Of --option=value the value is completed, and offered with what stands before.
    set -l option (string match -r -- '^--[a-z-]+=' "$current")
    set -l value (string replace -r -- '^--[a-z-]+=' '' "$current")
    for line in (forcetouchctl --complete $typed[2..] "$current" 2>/dev/null)
        switch $line
            case :files
                for path in (__fish_complete_path "$value")
                    printf '%s%s\n' "$option" $path
                end
            case :folders
                for path in (__fish_complete_directories "$value")
                    printf '%s%s\n' "$option" $path
                end
            case '*'
                printf '%s%s\n' "$option" $line
        end
    end
end

complete -c forcetouchctl -f -a '(__forcetouchctl_complete)'
