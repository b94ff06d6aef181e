# Completion of forcetouchctl(1) for bash: it knows itself what may come next.

_forcetouchctl() {
  local word line words=()
  # bash takes --socket=PATH for three words.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && [[ $word == = || ${words[-1]} == --*= ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  word=${words[-1]#--*=}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files)
        # Fails, and is not needed, where nobody completes: in a test.
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        ;;
      :folders)
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word")
        ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(forcetouchctl --complete "${words[@]}" 2>/dev/null)
}

complete -F _forcetouchctl forcetouchctl
