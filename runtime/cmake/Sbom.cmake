# With SBOM=ON a wheel lists what was compiled into it: the crates of Cargo.lock, NVIDIA's libraries, the
# tool that made the binding (CycloneDX, in the folder that PEP 770 names). Releases do so. It is off
# elsewhere: pip wants to know every file of the metadata before it builds.
include_guard()

option(SBOM "List in the wheel what was compiled into it" OFF)
if(NOT SBOM OR NOT SKBUILD_STATE STREQUAL "wheel")
  return()
endif()

set(sbom_parts "")
set(sbom_purls "")

# sbom_part(<type> <name> <version> [<SHA-256>])
#
# Adds a part, once. The type is the one in a package URL.
macro(sbom_part type name version)
  string(REPLACE "+" "%2B" purl "pkg:${type}/${name}@${version}")
  if(NOT purl IN_LIST sbom_purls)
    list(APPEND sbom_purls "${purl}")
    set(hashes "")
    if(${ARGC} GREATER 3)
      set(hashes ", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${ARGV3}\"}]")
    endif()
    if(sbom_parts)
      string(APPEND sbom_parts ",\n    ")
    endif()
    string(APPEND sbom_parts "{\"type\": \"library\", \"bom-ref\": \"${purl}\", \"name\": \"${name}\", "
      "\"version\": \"${version}\", \"purl\": \"${purl}\"${hashes}}")
  endif()
endmacro()

foreach(lock IN ITEMS "${CMAKE_CURRENT_LIST_DIR}/../Cargo.lock" "${PROJECT_SOURCE_DIR}/Cargo.lock")
  if(EXISTS "${lock}")
    # Crates of the package itself have no sum.
    file(STRINGS "${lock}" lines REGEX "^(name|version|checksum) = ")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "^([a-z]+) = \"(.*)\"$" matched "${line}")
      set(crate_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
      if(CMAKE_MATCH_1 STREQUAL "checksum")
        sbom_part(cargo "${crate_name}" "${crate_version}" "${crate_checksum}")
      endif()
    endforeach()
  endif()
endforeach()
if(CUDAToolkit_FOUND)
  sbom_part(generic cuda-toolkit "${CUDAToolkit_VERSION}")
endif()
foreach(tool IN ITEMS nanobind pybind11 SWIG)
  if(${tool}_FOUND)
    string(TOLOWER ${tool} name)
    sbom_part(pypi ${name} "${${tool}_VERSION}")
  endif()
endforeach()

string(TOLOWER "${SKBUILD_PROJECT_NAME}" name)
string(REGEX REPLACE "[-_.]+" "-" name "${name}")
set(version "${SKBUILD_PROJECT_VERSION_FULL}")
set(purl "pkg:pypi/${name}@${version}")
file(CONFIGURE OUTPUT "${name}.cdx.json" @ONLY CONTENT [[
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "version": 1,
  "metadata": {
    "component": {
      "type": "library",
      "bom-ref": "@purl@",
      "name": "@name@",
      "version": "@version@",
      "purl": "@purl@"
    }
  },
  "components": [
    @sbom_parts@
  ]
}
]])
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
