"""Hosts on one machine: network namespaces of Linux, and a switch between them. Making them takes root, and `ip`."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple


class Host(NamedTuple):
    """A namespace, with an address of its own and a link to the switch."""

    name: str
    address: str
    switch: str
    port: str

    def start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Run a module of Python there."""
        command = ["ip", "netns", "exec", self.name, sys.executable, "-m", module, *arguments]
        return subprocess.Popen(command)

    def enter(self) -> None:
        """From now on this thread is there, and those that it starts."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open(f"/run/netns/{self.name}") as namespace:
            if libc.setns(namespace.fileno(), 0) != 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def unplug(self) -> None:
        """Take its link away: what it sends is lost, and what others send to it."""
        ip("-n", self.switch, "link", "set", self.port, "down")

    def received(self) -> int:
        """Bytes until now."""
        shown = ip("-n", self.switch, "-s", "-j", "link", "show", self.port)
        (link,) = json.loads(shown)
        sent: int = link["stats64"]["tx"]["bytes"]  # by the switch
        return sent


@contextmanager
def network(count: int) -> Iterator[list[Host]]:
    """So many hosts; all is gone in the end."""
    switch = f"switch{os.getpid()}"
    with ExitStack() as stack:
        add(switch, stack)
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        hosts = []
        for number in range(count):
            host = Host(f"host{number}-{os.getpid()}", f"10.77.0.{number + 1}", switch, f"{number}")
            add(host.name, stack)
            ends = ("eth0", "type", "veth", "peer", "name", host.port, "netns", switch)
            ip("-n", host.name, "link", "add", *ends)
            ip("-n", switch, "link", "set", host.port, "master", "bridge", "up")
            ip("-n", host.name, "address", "add", f"{host.address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", host.name, "link", "set", device, "up")
            hosts.append(host)
        yield hosts


def add(namespace: str, stack: ExitStack) -> None:
    ip("netns", "add", namespace)
    stack.callback(ip, "netns", "delete", namespace)


def ip(*words: str) -> str:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: ip {' '.join(words)}: {done.stderr.strip()}; run this as root")
    return done.stdout
