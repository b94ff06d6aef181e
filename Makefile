# forcetouchd: what can be done here. `make help` lists it.

SWIFT ?= swift
CHECKED = --explicit-target-dependency-import-check error
RELEASE = -c release --static-swift-stdlib --disable-local-rpath $(CHECKED) \
          -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
VENV = .build/python
export FORCETOUCH_PYTHON = $(CURDIR)/$(VENV)/bin/python3

.PHONY: help demo build debug test lint format dependencies test-dependencies clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo     build, play a bundled recording through the daemon, watch a peek and a pop'
	@echo 'make build    the release programs, in .build/release'
	@echo 'make test     every test'
	@echo 'make lint     the format of the sources'
	@echo 'make format   put the sources into the format that lint wants'
	@echo 'make clean    remove what was built'

dependencies:
	@scripts/install-dependencies build

test-dependencies:
	@scripts/install-dependencies build test

build: dependencies
	$(SWIFT) build $(RELEASE)
	strip .build/release/forcetouchd .build/release/forcetouchctl

debug: dependencies
	$(SWIFT) build $(CHECKED)

demo: debug
	@scripts/demo .build/debug

# The Varlink client that nobody here wrote, in an environment of its own. The system's Python,
# because Debian's umockdev bindings are made for it.
$(VENV)/ready:
	/usr/bin/python3 -m venv --system-site-packages $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check varlink==31.0.0
	touch $@

test: test-dependencies $(VENV)/ready debug
	$(SWIFT) test $(CHECKED)
	cd Tests/Programs && umockdev-wrapper $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose test_umockdev
	cd Tests/Programs && $(FORCETOUCH_PYTHON) -W ignore::ResourceWarning \
	  -m unittest --verbose test_protocol test_control test_previewing test_hostile_clients test_recordings

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

clean:
	$(SWIFT) package clean
	rm -rf .build/python build
