# Completion of forcetouchctl(1) for fish.

# The devices that the daemon has, each with its name; none when there is no daemon.
function __forcetouchctl_devices
    set -l words (commandline -opc)
    set -l socket
    if set -l index (contains -i -- --socket $words)
        set socket --socket $words[(math $index + 1)]
    end
    for line in (timeout 2 forcetouchctl devices --json $socket 2>/dev/null)
        set -l device (string match -rg '"device":"([^"]*)"' -- $line)
        set -l name (string match -rg '"name":"([^"]*)"' -- $line)
        printf '%s\t%s\n' $device "$name"
    end
end

function __forcetouchctl_needs_command
    test (count (commandline -opc)) -eq 1
end

# Whether the command is one of these.
function __forcetouchctl_uses
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c forcetouchctl -f
complete -c forcetouchctl -n __forcetouchctl_needs_command -l version -d 'Print the version'
complete -c forcetouchctl -l help -d 'Print help'

complete -c forcetouchctl -n __forcetouchctl_needs_command -a devices \
    -d 'List the touch devices and whether they feel force'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a capability \
    -d 'Say whether a device, or any device, feels force, and why'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a monitor \
    -d 'Watch contacts, peeks and pops as they happen'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a probe \
    -d 'Judge a device node or a recording, with no daemon running'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a record \
    -d 'Record a device as libinput record or evemu-record do, until Ctrl-C'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a replay \
    -d 'Print the events that a recording gives, with no daemon running'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a plot \
    -d 'Draw the force of recordings, with their peeks and pops, as a picture'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a calibrate \
    -d 'Find out whether a device feels force, and give it its profile'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a run \
    -d 'Run commands on peek and pop, as an actions file says'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a status \
    -d 'Show the daemon: uptime, devices, clients, counters, effective settings'
complete -c forcetouchctl -n __forcetouchctl_needs_command -a doctor \
    -d 'Look at this machine and say what is wrong, with or without the daemon'

complete -c forcetouchctl -n '__forcetouchctl_uses devices capability monitor calibrate run status doctor' -l socket -r -F \
    -d 'Talk to the daemon here'
complete -c forcetouchctl -n '__forcetouchctl_uses devices capability monitor probe replay status' -l json \
    -d 'Print the objects of the protocol, one a line'
complete -c forcetouchctl -n '__forcetouchctl_uses calibrate' -l json \
    -d 'Print the result as one object'
complete -c forcetouchctl -n '__forcetouchctl_uses doctor' -l json \
    -d 'Print the report as objects, one a line'
complete -c forcetouchctl -n '__forcetouchctl_uses monitor replay' -l all \
    -d 'Print every change of force, not ten a second'
complete -c forcetouchctl -n '__forcetouchctl_uses monitor' -l frames \
    -d 'With --json: raw frames as well'
complete -c forcetouchctl -n '__forcetouchctl_uses probe replay plot calibrate' -l description -r -F \
    -d 'A recording that describes the device'
complete -c forcetouchctl -n '__forcetouchctl_uses probe replay plot' -l config -r -F \
    -d 'Read this instead of the settings'
complete -c forcetouchctl -n '__forcetouchctl_uses record' -s o -l output -r -F \
    -d 'Write here instead of standard output'
complete -c forcetouchctl -n '__forcetouchctl_uses record' -l format -x -a 'libinput evemu' \
    -d 'What is written'
complete -c forcetouchctl -n '__forcetouchctl_uses record' -l anonymize \
    -d 'Leave out where the fingers were, keep their force'
complete -c forcetouchctl -n '__forcetouchctl_uses record' -l limit -x -a '10M 100M 1G' \
    -d 'End when the file is so large'
complete -c forcetouchctl -n '__forcetouchctl_uses plot' -s o -l output -r -F \
    -d 'What to write: a .svg, .png or .pdf'
complete -c forcetouchctl -n '__forcetouchctl_uses plot' -l dark \
    -d 'Light on dark, not dark on light'
complete -c forcetouchctl -n '__forcetouchctl_uses plot' -l from -x \
    -d 'Leave out what was before, in seconds'
complete -c forcetouchctl -n '__forcetouchctl_uses plot' -l to -x \
    -d 'Leave out what was after, in seconds'
complete -c forcetouchctl -n '__forcetouchctl_uses run' -l check \
    -d 'Say what each rule does, and run nothing'
complete -c forcetouchctl -n '__forcetouchctl_uses run' -l actions -r -F \
    -d 'Read this instead of the file in the home folder'
complete -c forcetouchctl -n '__forcetouchctl_uses replay' -l speed -x -a 'original max' \
    -d 'How fast'
complete -c forcetouchctl -n '__forcetouchctl_uses replay plot' -l estimated \
    -d 'Recognize by a guess on a device without force'
complete -c forcetouchctl -n '__forcetouchctl_uses replay plot' -l sensitivity -x -a 'light medium firm' \
    -d 'Whatever the settings say'
complete -c forcetouchctl -n '__forcetouchctl_uses replay plot' -l without -x \
    -a 'unarmed otherContact palm notFinger nowhere dropped moved moving dragged baseline' \
    -d 'Switch off a rule that rejects presses'
complete -c forcetouchctl -n '__forcetouchctl_uses calibrate' -l from -r -F \
    -d 'Take recordings: light, normal, firm and flat touches, or all in one'
complete -c forcetouchctl -n '__forcetouchctl_uses calibrate' -l reset \
    -d 'Take the calibration of the device back'
complete -c forcetouchctl -n '__forcetouchctl_uses calibrate' -l yes \
    -d 'Do not ask for confirmation'

complete -c forcetouchctl -n '__forcetouchctl_uses capability monitor calibrate' -a '(__forcetouchctl_devices)'
complete -c forcetouchctl -n '__forcetouchctl_uses probe record' -a '/dev/input/event*'
complete -c forcetouchctl -n '__forcetouchctl_uses probe replay plot' -F
# All words behind --from are files.
complete -c forcetouchctl -n '__forcetouchctl_uses calibrate; and __fish_contains_opt from' -F
