# Completion of forcetouchd(8) for fish.

complete -c forcetouchd -f
complete -c forcetouchd -l socket -r -F -d 'Serve here instead of /run/forcetouchd/socket'
complete -c forcetouchd -l replay -r -F -d 'Serve recordings as devices, once'
complete -c forcetouchd -l config -r -F -d 'Read this instead of /etc/forcetouchd/forcetouchd.yaml'
complete -c forcetouchd -l state -x -a '(__fish_complete_directories)' \
    -d 'Keep profiles here instead of in /var/lib/forcetouchd'
complete -c forcetouchd -l verbose -d 'Say more'
complete -c forcetouchd -l version -d 'Print the version'
complete -c forcetouchd -l help -d 'Print help'
# All words behind --replay are files.
complete -c forcetouchd -n '__fish_contains_opt replay' -F
