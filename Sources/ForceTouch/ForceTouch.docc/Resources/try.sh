forcetouchd --socket /tmp/force --replay Examples/recordings/peek-and-pop.evemu &
FORCETOUCHD_SOCKET=/tmp/force ./messages
